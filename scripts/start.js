import './node-version.js';
import { endWithShellOfNpm } from './shell-of-npm.js';

endWithShellOfNpm();
const { launch } = await import('./launch.js');
// The signer is a separate program, which loads only a small part of the service.
await launch(process.env.ROLE?.trim() === 'signer' ? 'custody/signer' : 'main');
