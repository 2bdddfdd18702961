import { describe, expect, it } from '@jest/globals';
import { deviceHash, deviceTokenHash, newDeviceToken } from './device-key.js';

describe('a device', () => {
  it('is told by the public key of its sessions, and without one by the session', () => {
    const [one, two] = ['a', 'b'].map((id) => ({ id, sessionPublicKey: 'key' }));
    expect(deviceHash(one!)).toEqual(deviceHash(two!));
    expect(deviceHash({ id: 'a', sessionPublicKey: 'other' })).not.toEqual(deviceHash(one!));
    expect(deviceHash({ id: 'a', sessionPublicKey: null })).not.toEqual(
      deviceHash({ id: 'b', sessionPublicKey: null }),
    );
    expect(deviceHash({ id: 'a', sessionPublicKey: null })).not.toEqual(deviceHash({ id: 'b', sessionPublicKey: 'a' }));
  });

  it('has tokens of 120 bits, however people copy them', () => {
    const token = newDeviceToken();
    expect(token).toMatch(/^[A-Z2-7]{24}$/);
    expect(newDeviceToken()).not.toBe(token);
    const copied = ` ${token.slice(0, 8).toLowerCase()}-${token.slice(8)}\t`;
    expect(deviceTokenHash(copied)).toEqual(deviceTokenHash(token));
  });
});
