import { Module } from '@nestjs/common';
import { PagesModule } from '../../pages/index.js';
import { ErrorPagesController } from './error-pages.controller.js';

/** A page for each error. Errors link here, so it exists even if the explorer is disabled. */
@Module({ imports: [PagesModule], controllers: [ErrorPagesController] })
export class ErrorPagesModule {}
