import { describe, expect, it } from '@jest/globals';
import { claimedMessage } from './claimed-message.fixture.js';
import { messageBody, PAYLOAD_FORMS } from './message-body.js';

describe('the body of a message', () => {
  it('names the event, the message and the webhook', () => {
    const message = claimedMessage({ kind: 'sandbox', userId: 'u', externalUserId: 'x', redelivery: true });
    expect(JSON.parse(messageBody(message))).toEqual({
      eventId: message.eventId,
      messageId: message.messageId,
      webhookId: message.webhookId,
      userId: 'u',
      externalUserId: 'x',
      eventName: 'user.created',
      environmentId: message.environmentId,
      environmentName: 'sandbox',
      timestamp: '2026-01-31T12:00:00.000Z',
      redelivery: true,
      data: { id: 1 },
    });
  });

  it('leaves out who caused it when no user did', () => {
    const body = JSON.parse(messageBody(claimedMessage()));
    expect(body).not.toHaveProperty('userId');
    expect(body).not.toHaveProperty('externalUserId');
    expect(body).not.toHaveProperty('actor');
  });

  it('names the member or the API token that caused it', () => {
    const actor = { kind: 'member' as const, id: 'm', tokenId: 't' };
    expect(JSON.parse(messageBody(claimedMessage({ actor })))).toMatchObject({ actor });
  });

  it('calls the console live', () => {
    expect(JSON.parse(messageBody(claimedMessage({ kind: 'console' }))).environmentName).toBe('live');
  });

  it('has the form its webhook was made for, whatever is newer', () => {
    const message = claimedMessage();
    const forms = { ...PAYLOAD_FORMS, '2099-01-01': () => 'newer' };
    expect(messageBody(message, forms)).toBe(messageBody(message));
    expect(messageBody({ ...message, version: '2099-01-01' }, forms)).toBe('newer');
    expect(() => messageBody({ ...message, version: 'unknown' })).toThrow('no form unknown');
  });

  it('carries the data digit by digit', () => {
    expect(messageBody(claimedMessage({ eventData: '{"amount": 12345678901234567890}' }))).toContain(
      '"data":{"amount": 12345678901234567890}}',
    );
  });
});
