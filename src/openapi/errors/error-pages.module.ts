import { Module } from '@nestjs/common';
import { PagesModule } from '../../pages/index.js';
import { ErrorPagesController } from './error-pages.controller.js';

/** A page for each error: errors lead here, so it is there whether the explorer is or not. */
@Module({ imports: [PagesModule], controllers: [ErrorPagesController] })
export class ErrorPagesModule {}
