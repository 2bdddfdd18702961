import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asApiError, VendorClient, VendorUnavailableError } from '../../networks/index.js';
import { ProviderAddresses } from '../../providers/index.js';
import { driveRefused } from './backup.errors.js';

const VENDOR = 'google-drive';
const API = 'https://www.googleapis.com';

/**
 * Writes files to the folder that Google Drive reserves for the application on a user's drive.
 * https://developers.google.com/workspace/drive/api/guides/appdata and, for uploads in one request,
 * https://developers.google.com/workspace/drive/api/guides/manage-uploads#multipart
 */
@Injectable()
export class GoogleDrive {
  constructor(
    private readonly vendors: VendorClient,
    private readonly addresses: ProviderAddresses,
  ) {}

  /** @throws ApiError cloud_drive_refused, vendor_unavailable */
  async write(accessToken: string, name: string, text: string): Promise<void> {
    const boundary = randomUUID();
    const metadata = JSON.stringify({ name, parents: ['appDataFolder'], mimeType: 'application/json' });
    const body = [
      `--${boundary}`,
      'Content-Type: application/json; charset=UTF-8',
      '',
      metadata,
      `--${boundary}`,
      'Content-Type: application/json',
      '',
      text,
      `--${boundary}--`,
      '',
    ].join('\r\n');
    const question = {
      vendor: VENDOR,
      urls: [`${this.addresses.of('google').api ?? API}/upload/drive/v3/files?uploadType=multipart&fields=id`],
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': `multipart/related; boundary=${boundary}`,
      },
      body,
      key: null,
      refusal: () => driveRefused(),
    } as const;
    await asApiError(this.vendors.json(question, assertWritten));
  }
}

/** The id is the receipt: a proxy's answer must not count as a copy that the user may one day need. */
function assertWritten(file: unknown): void {
  const { id } = { ...(file as { id?: unknown } | null) };
  if (typeof id !== 'string' || id === '') throw new VendorUnavailableError(VENDOR, 'garbage');
}
