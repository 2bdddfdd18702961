import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Claims } from './token-claims.js';

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/** Signs a compact JWT (RFC 7515 §7.1) with RS256: the same claims always give the same bytes (RFC 8017 §8.2). */
@Injectable()
export class TokenSigner {
  constructor(private readonly jwt: JwtService) {}

  /** @param typ the kind of token (RFC 8725 §3.11) */
  sign(claims: Claims, { kid, privateKey }: SigningKey, typ = 'JWT'): Promise<string> {
    // The claims contain their own times, which the library keeps: signing again gives the same token.
    return this.jwt.signAsync(claims, { algorithm: 'RS256', header: { alg: 'RS256', typ, kid }, privateKey });
  }
}
