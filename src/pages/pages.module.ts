import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';

/** The stylesheet and the scripts that pages share. */
@Module({ controllers: [AssetsController] })
export class PagesModule {}
