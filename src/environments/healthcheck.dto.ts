import { EnumField, defineEnum, type EnumValue } from '../common/fields/index.js';

export const HEALTH = defineEnum('HealthcheckStatus', ['healthy', 'unhealthy']);
export type Health = EnumValue<typeof HEALTH>;

export class HealthcheckResponse {
  @EnumField(HEALTH)
  status!: Health;
}
