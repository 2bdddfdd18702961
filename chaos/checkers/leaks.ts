import { SecretScanner } from '../../test/support/secret-scanner.js';
import { judge, type Finding } from './finding.js';

/** P7: no log contains a secret, in any encoding. */
export function checkLeaks(secrets: ReadonlyMap<string, string>, logs: ReadonlyMap<string, Buffer | string>): Finding {
  const scanner = new SecretScanner();
  for (const [name, value] of secrets) scanner.add(name, value);
  const found = [...logs].flatMap(([place, content]) => scanner.scan(place, content));
  const violations = found.map(({ secret, form, place }) => `${place} holds the ${secret} (${form})`);
  return judge('P7', `${logs.size} logs, ${secrets.size} secrets, found ${violations.length}`, violations);
}
