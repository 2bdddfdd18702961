import { setTimeout as sleep } from 'node:timers/promises';
import { generateSync } from 'otplib';
import { rowsOf } from './rows.js';
import type { World } from './world.js';

const STEP_SECONDS = 30;

/** The code that a device shows after `steps` more time steps. */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * STEP_SECONDS });

/** The maximum duration of a test with codes, on a busy machine; usually half a second. */
const ROOM_SECONDS = 10;

/** Waits for the next time step if the current one is about to end, so that codes are those that the test means. */
export async function roomInStep(): Promise<void> {
  const left = STEP_SECONDS - ((Date.now() / 1000) % STEP_SECONDS);
  if (left < ROOM_SECONDS) await sleep(left * 1000 + 50);
}

const METHODS = ['totp', 'passkey', 'email'] as const;

interface Allowed {
  required?: boolean;
  /** The enabled ones; all by default. */
  methods?: readonly string[];
  allowBackupCodes?: boolean;
  /** Actions that require a second factor each time. */
  actions?: readonly string[];
}

/** Enables second factors for the sandbox. */
export const allowSecondFactors = (
  world: World,
  { required = false, methods = METHODS, allowBackupCodes = true, actions = [] }: Allowed = {},
): Promise<unknown> =>
  world.api.put(
    world.path(''),
    {
      security: {
        mfa: {
          enabled: true,
          required,
          methods: METHODS.map((type) => ({ type, enabled: methods.includes(type), allowBackupCodes })),
          ...(actions.length > 0 && { actions: actions.map((action) => ({ action, required: true })) }),
        },
      },
    },
    { expect: 200 },
  );

/**
 * Registers a device for which the code of the previous time step counts as used, so that the current code is still
 * valid. It is registered with the current code: the previous one would be too old if the step ended meanwhile.
 */
export async function addDevice(
  world: World,
  token: string,
  environmentId: string = world.environmentId,
): Promise<{ id: string; secret: string }> {
  const path = world.sdk('/users/mfa/register/totp', environmentId);
  const { body } = await world.anonymous.get<{ secret: string }>(path, { token, expect: 200 });
  const verification = { type: 'totp', code: codeOf(body.secret) };
  const device = await world.anonymous.post<{ id: string }>(path, verification, { token, expect: 200 });
  const { id } = device.body;
  await rowsOf(world.test, 'UPDATE mfa_devices SET last_step = last_step - 1 WHERE id = $1', [id]);
  return { id, secret: body.secret };
}

/** A device for tests that are not about time: its current code is valid even if a newer one was used before. */
export async function steadyDevice(
  world: World,
  token: string,
  environmentId: string = world.environmentId,
): Promise<{ id: string; code: () => Promise<string> }> {
  const path = world.sdk('/users/mfa/register/totp', environmentId);
  const { body } = await world.anonymous.get<{ secret: string }>(path, { token, expect: 200 });
  const verification = { type: 'totp', code: codeOf(body.secret) };
  const device = await world.anonymous.post<{ id: string }>(path, verification, { token, expect: 200 });
  const { id } = device.body;
  const code = async (): Promise<string> => {
    await rowsOf(world.test, 'UPDATE mfa_devices SET last_step = 0 WHERE id = $1', [id]);
    return codeOf(body.secret);
  };
  return { id, code };
}

/** The session after a second factor was given. */
export async function refreshed(
  world: World,
  token: string,
  environmentId: string = world.environmentId,
): Promise<string> {
  const path = world.sdk('/refresh', environmentId);
  return (await world.anonymous.post<{ jwt: string }>(path, undefined, { token, expect: 200 })).body.jwt;
}
