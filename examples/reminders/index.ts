export { CreateReminders20270102000000 } from './20270102000000-create-reminders.js';
export { RemindersModule } from './reminders.module.js';
