import './node-version.js';

const { launch } = await import('./launch.js');
await launch('main');
