import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';

/** What every page for people needs: one stylesheet and one small script. */
@Module({ controllers: [AssetsController] })
export class PagesModule {}
