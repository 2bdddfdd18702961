import './node-version.js';
import { endWithShellOfNpm } from './shell-of-npm.js';

endWithShellOfNpm();
const { launch } = await import('./launch.js');
// A signer is a program of its own, which loads a small part of the service.
await launch(process.env.ROLE?.trim() === 'signer' ? 'custody/signer' : 'main');
