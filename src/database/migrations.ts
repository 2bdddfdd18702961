import { migrations } from '../../migrations/index.js';

/** Every migration, oldest first. */
export const MIGRATIONS = migrations;
