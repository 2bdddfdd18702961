import { describe, expect, it } from '@jest/globals';
import { passkeyMail } from './passkey-mail.js';

const at = new Date('2026-01-02T03:04:05Z');

describe('the message about a passkey', () => {
  it('says what happened, when and with what, and has no link', () => {
    const { subject, text } = passkeyMail({ brand: 'Acme', change: 'added', at, userAgent: 'Browser/1' });
    expect(subject).toBe('A passkey was added at Acme');
    expect(text).toContain('Fri, 02 Jan 2026 03:04:05 GMT');
    expect(text).toContain('With: Browser/1');
    expect(text).not.toMatch(/https?:/);
  });

  it('of one that was removed says that other devices are signed out', () => {
    const { subject, text } = passkeyMail({ brand: '', change: 'removed', at, userAgent: null });
    expect(subject).toBe('A passkey was removed at Gatehouse');
    expect(text).toContain('signed out on your other devices');
    expect(text).not.toContain('With:');
  });

  it('lets nobody write lines of their own into it', () => {
    const { subject, text } = passkeyMail({ brand: 'A\r\nBcc: x', change: 'added', at, userAgent: 'x\r\ny' });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain('With: x y');
  });
});
