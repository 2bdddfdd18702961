import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Head, Logger, Param, Res } from '@nestjs/common';
import type { Response as ExpressResponse } from 'express';
import { VENDOR_RETRY_SECONDS } from '../../common/errors/index.js';
import { Page, RATE_RULES, RateLimited } from '../../auth/index.js';
import { downloadOver, fileUnreadable } from './export.errors.js';
import type { ExportFile } from './exports.repository.js';
import { ExportWriter } from './export-writer.js';
import { DOWNLOADS_PATH, ExportsService } from './exports.service.js';

/** The target of an export's single-use URL. */
@Page()
@Controller(DOWNLOADS_PATH)
export class ExportDownloadsController {
  private readonly log = new Logger('Exports');

  constructor(
    private readonly exports: ExportsService,
    private readonly writer: ExportWriter,
  ) {}

  /** Link scanners and previews must not use up the URL. */
  @Head(':environment/:token')
  @RateLimited(RATE_RULES.exportFetched)
  look(): never {
    throw downloadOver();
  }

  @Get(':environment/:token')
  @RateLimited(RATE_RULES.exportFetched)
  async download(
    @Param('environment') environment: string,
    @Param('token') token: string,
    @Res() response: ExpressResponse,
  ): Promise<void> {
    await this.send(await this.exports.redeem(environment, token), response);
  }

  /** An unreadable file aborts the response, so that a partial file is not taken for a complete one. */
  private async send(row: ExportFile, response: ExpressResponse): Promise<void> {
    const parts = this.writer.read(row);
    const first = await this.firstOf(row, parts);
    response.type('text/csv; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="${row.model}-${row.id}.csv"`);
    response.setHeader('Cache-Control', 'no-store');
    try {
      await pipeline(Readable.from(startingWith(first, parts)), response);
    } catch (error) {
      this.log.warn(`The download of export ${row.id} was interrupted: ${(error as Error).message}`);
      response.destroy();
    }
  }

  /** Read before the response starts, to report an unavailable store as an error. @throws export_file_unreadable */
  private async firstOf(row: ExportFile, parts: AsyncGenerator<Buffer>): Promise<Buffer> {
    try {
      return (await parts.next()).value as Buffer;
    } catch (error) {
      this.log.warn(`The file of export ${row.id} cannot be read: ${(error as Error).message}`);
      throw fileUnreadable({ retryAfterSeconds: VENDOR_RETRY_SECONDS });
    }
  }
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
