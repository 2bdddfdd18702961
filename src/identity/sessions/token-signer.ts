import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Claims } from './token-claims.js';

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/** Makes a JWT in compact form (RFC 7515 §7.1) under RS256: the same claims always give the same bytes (RFC 8017 §8.2). */
@Injectable()
export class TokenSigner {
  constructor(private readonly jwt: JwtService) {}

  /** @param typ what kind of token it is (RFC 8725 §3.11) */
  sign(claims: Claims, { kid, privateKey }: SigningKey, typ = 'JWT'): Promise<string> {
    // The claims bring their own times, which the library keeps: a second signing gives the same token.
    return this.jwt.signAsync(claims, { algorithm: 'RS256', header: { alg: 'RS256', typ, kid }, privateKey });
  }
}
