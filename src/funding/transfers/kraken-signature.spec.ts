import { describe, expect, it } from '@jest/globals';
import { krakenSignature } from './kraken-signature.js';

describe('the signature of a call', () => {
  it('is that of the vector in the documentation', () => {
    const secret = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';
    const nonce = '1616492376594';
    const body = `nonce=${nonce}&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25`;
    expect(krakenSignature(secret, '/0/private/AddOrder', nonce, body)).toBe(
      '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
    );
  });
});
