export { OpeningHours } from './opening-hours.js';
export { SignInHoursCheck } from './sign-in-hours.check.js';
export { SignInHoursModule } from './sign-in-hours.module.js';
