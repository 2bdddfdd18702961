import { runService } from './service.js';

await runService();
