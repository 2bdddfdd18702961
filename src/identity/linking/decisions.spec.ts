import { describe, expect, it } from '@jest/globals';
import { decideLink, decisionRows, decideTransfer, decideUnlink, HOLDERS, KINDS } from './decisions.js';

describe('what becomes of a credential', () => {
  const rows = decisionRows();

  it('is decided for at least sixty cases, each once', () => {
    expect(rows.length).toBeGreaterThanOrEqual(60);
    expect(new Set(rows.map(({ intent, kind, holder }) => `${intent} ${kind} ${holder}`)).size).toBe(rows.length);
    expect(rows.every(({ decision }) => decision)).toBe(true);
  });

  it('of another user is never the caller’s by a link', () => {
    const ofOthers = HOLDERS.filter((holder) => holder.startsWith('other') || holder === 'embedded');
    for (const kind of KINDS) {
      for (const holder of ofOthers) expect(['tie', 'keep', 'move']).not.toContain(decideLink(kind, holder));
    }
  });

  it('gives way to proof where only an API call said whose it is', () => {
    for (const kind of KINDS) expect(decideLink(kind, 'stated')).toBe('tie');
  });

  it('stays with whom an API call has named where wallets wait for them', () => {
    for (const kind of KINDS) {
      if (kind !== 'passkey') expect(decideLink(kind, 'stated-embedded')).not.toBe('tie');
    }
    expect(decideTransfer('stated-embedded', true)).toBe('reassign_wallet_error');
  });

  it('offers a merge only where the proof tells who the person is', () => {
    const offering = rows.filter(({ decision }) => decision === 'merge_accounts_confirmation');
    expect(new Set(offering.map(({ kind }) => kind))).toEqual(
      new Set(['email', 'phoneNumber', 'socialAccountId', 'wallet']),
    );
    expect(offering.every(({ holder }) => holder === 'other' || holder === 'other-last')).toBe(true);
  });

  it('moves a wallet of another user alone, and the last way in only where that is wanted', () => {
    const moving = HOLDERS.filter((holder) => decideTransfer(holder, false) === 'move');
    expect(moving).toEqual(['other']);
    expect(HOLDERS.filter((holder) => decideTransfer(holder, true) === 'move')).toEqual(['other', 'other-last']);
  });

  it('takes neither the last way in nor an embedded wallet from its user', () => {
    expect(decideUnlink('own-last')).toBe('cannot_delete_last_sign_in_verified_credential');
    expect(decideUnlink('own-embedded')).toBe('forbidden_unlink_request');
  });
});
