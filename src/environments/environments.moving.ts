import { Injectable } from '@nestjs/common';
import { MovingPart, moves, stays } from '../moving/index.js';
import { ClientReport } from './client-reports/client-report.entity.js';
import { DeeplinkUrlEntity } from './deeplinks/deeplink-url.entity.js';
import { EnvironmentSettings } from './environment-settings.entity.js';
import { CustomHostnameEntity } from './hostnames/custom-hostname.entity.js';
import { OriginEntity } from './origins/origin.entity.js';
import { EnvironmentSecret } from './secrets/environment-secret.entity.js';
import { environmentSecretContext } from './secrets/environment-secrets.js';
import { SettingsVersion } from './settings/versions/settings-version.entity.js';
import { SigningKey } from './signing-keys/signing-key.entity.js';
import { sealContextOf } from './signing-keys/signing-key-maker.js';
import { TestAccountRow } from './test-account/test-account.entity.js';

@Injectable()
export class EnvironmentsMoving extends MovingPart {
  readonly moving = [
    moves(EnvironmentSettings),
    moves(SettingsVersion),
    moves(OriginEntity),
    moves(DeeplinkUrlEntity),
    // The new installation has no proof yet, and there a name may be active in another environment.
    moves(CustomHostnameEntity, {
      renewal: {
        reason: 'whether their DNS records are right is found out again there; until then they are pending',
        columns: ['status', 'statusSince', 'errors', 'checkedAt', 'nextCheckAt'],
        make: () => Promise.resolve({ status: 'pending', status_since: 'now', next_check_at: 'now' }),
      },
    }),
    moves(TestAccountRow),
    moves(EnvironmentSecret, {
      seal: {
        column: 'sealedValue',
        by: (row) => environmentSecretContext(String(row['environment_id']), String(row['name'])),
      },
    }),
    // Keys keep their ids, so that servers with a cached key set can still verify tokens.
    moves(SigningKey, {
      seal: {
        column: 'sealedPrivateKey',
        by: (row) => sealContextOf(String(row['environment_id']), String(row['id'])),
      },
    }),
  ];
  readonly staying = [...stays('clients report anew', ClientReport)];
}
