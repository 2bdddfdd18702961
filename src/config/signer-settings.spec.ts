import { describe, expect, it } from '@jest/globals';
import { Config } from './config.js';
import { signerSettings } from './signer-settings.js';

describe('what a signer is told by the instance that starts it', () => {
  it('is in its environment whose certificates to believe, and no option of Node or secret', () => {
    const believed = {
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      NODE_USE_SYSTEM_CA: '1',
      SSL_CERT_FILE: '/system.pem',
      SSL_CERT_DIR: '/system',
    };
    const config = Config.load({ ...believed, NODE_OPTIONS: '--inspect', DATABASE_URL: 'postgres://db/x' });
    const { process, given } = signerSettings(config, 'ring');
    expect(process).toEqual(believed);
    expect(given).toEqual({ ROLE: 'signer', MASTER_KEY: 'ring' });
  });
});
