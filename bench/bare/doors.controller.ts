import {
  Body,
  Controller,
  Headers,
  HttpCode,
  Inject,
  Ip,
  Param,
  Post,
  UnprocessableEntityException,
} from '@nestjs/common';
import { verifyAuthenticationResponse, type AuthenticationResponseJSON } from '@simplewebauthn/server';
import { createHash, createPublicKey, randomUUID, verify, type KeyObject } from 'node:crypto';
import { Pool, type QueryConfig } from 'pg';
import { Pool as HttpPool } from 'undici';
import { v7 } from 'uuid';
import type { Hex } from 'viem';
import { parseSiweMessage } from 'viem/siwe';
import { BARE_SETUP, type BareSetup } from './setup.js';
import { addressOfMessage } from './message-signature.js';
import { SignedIn } from './signed-in.js';
import { OAUTH_SIGN_IN, PASSKEY_SIGN_IN, TAKE_ATTEMPT, TAKE_CHALLENGE, WALLET_SIGN_IN } from './statements.js';
import type { UserRow } from './user-row.js';

interface WalletAnswer {
  readonly messageToSign: string;
  readonly signedMessage: Hex;
  readonly publicWalletAddress: string;
}
interface OauthAnswer {
  readonly state: string;
  readonly code: string;
  readonly codeVerifier: string;
}
interface StoredPasskey {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly rpId: string;
}
interface IdToken {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly exp: number;
  readonly nonce: string;
}
interface Visit {
  readonly ip: string;
  readonly origin: string | undefined;
  readonly agent: string | undefined;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Sign-in methods other than email codes, each verified with the library the service uses for it, and nothing more. */
@Controller('api/v0/sdk/:environmentId')
export class DoorsController {
  private readonly http: HttpPool | null;
  private readonly providerKey: KeyObject | null;

  constructor(
    private readonly pool: Pool,
    private readonly signedIn: SignedIn,
    @Inject(BARE_SETUP) private readonly setup: BareSetup,
  ) {
    const { provider } = setup;
    this.http = provider ? new HttpPool(provider.issuer) : null;
    this.providerKey = provider ? createPublicKey(provider.publicKey) : null;
  }

  @Post('verify')
  @HttpCode(200)
  async wallet(
    @Body() { messageToSign: message, signedMessage: signature, publicWalletAddress: address }: WalletAnswer,
    @Ip() ip: string,
    @Headers('origin') origin?: string,
    @Headers('user-agent') agent?: string,
  ): Promise<object> {
    const { nonce, domain, issuedAt } = parseSiweMessage(message);
    if (!nonce || !issuedAt || domain !== new URL(origin ?? '').host) throw new UnprocessableEntityException();
    if (addressOfMessage(message, signature) !== address) throw new UnprocessableEntityException();
    return this.open(WALLET_SIGN_IN, [sha256(nonce), address], { ip, origin, agent }, 'pop');
  }

  @Post('users/passkeys/signin')
  @HttpCode(200)
  async passkey(
    @Body() response: AuthenticationResponseJSON,
    @Ip() ip: string,
    @Headers('origin') origin?: string,
    @Headers('user-agent') agent?: string,
  ): Promise<object> {
    const clientData = Buffer.from(response.response.clientDataJSON, 'base64url').toString();
    const { challenge } = JSON.parse(clientData) as { challenge: string };
    const values = [this.setup.environmentId, sha256(challenge), response.id];
    const [known] = (await this.pool.query<StoredPasskey>({ ...TAKE_CHALLENGE, values })).rows;
    if (!known) throw new UnprocessableEntityException();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin ?? '',
      expectedRPID: known.rpId,
      credential: { id: response.id, publicKey: new Uint8Array(known.publicKey), counter: known.signCount },
      requireUserVerification: true,
    });
    if (!verified) throw new UnprocessableEntityException();
    return this.open(PASSKEY_SIGN_IN, [known.id, authenticationInfo.newCounter], { ip, origin, agent }, 'swk');
  }

  @Post('providers/:provider/signIn')
  @HttpCode(200)
  async oauth(
    @Param('provider') provider: string,
    @Body() { state, code, codeVerifier }: OauthAnswer,
    @Ip() ip: string,
    @Headers('origin') origin?: string,
    @Headers('user-agent') agent?: string,
  ): Promise<object> {
    const challenge = sha256(codeVerifier).toString('base64url');
    const values = [this.setup.environmentId, sha256(state), sha256(code), challenge];
    const [attempt] = (await this.pool.query<{ answer: string }>({ ...TAKE_ATTEMPT, values })).rows;
    if (!attempt) throw new UnprocessableEntityException();
    const subject = await this.subject(attempt.answer, codeVerifier, sha256(`nonce ${state}`).toString('base64url'));
    return this.open(OAUTH_SIGN_IN, [provider, subject], { ip, origin, agent }, 'fed');
  }

  /** Exchanges a code for an ID token (OpenID Connect Core 1.0 section 3.1.3) and returns its subject. */
  private async subject(code: string, verifier: string, nonce: string): Promise<string> {
    const { provider } = this.setup;
    if (!provider || !this.http || !this.providerKey) throw new UnprocessableEntityException();
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: provider.redirectUri, code_verifier: verifier },
      ...{ client_id: provider.clientId, client_secret: provider.clientSecret },
    });
    const { body } = await this.http.request({
      ...{ method: 'POST', path: '/token', body: form.toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const { id_token: token } = (await body.json()) as { id_token: string };
    const end = token.lastIndexOf('.');
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    const claims = JSON.parse(Buffer.from(token.slice(token.indexOf('.') + 1, end), 'base64url').toString()) as IdToken;
    const holds =
      verify('sha256', Buffer.from(token.slice(0, end)), this.providerKey, signature) &&
      [claims.iss, claims.aud, claims.nonce].join() === [provider.issuer, provider.clientId, nonce].join() &&
      claims.exp * 1000 > Date.now();
    if (!holds) throw new UnprocessableEntityException();
    return claims.sub;
  }

  private async open(
    statement: QueryConfig,
    proof: readonly unknown[],
    { ip, origin, agent }: Visit,
    amr: string,
  ): Promise<object> {
    const [sid, jti] = [v7(), randomUUID()];
    const values = [this.setup.environmentId, ...proof, sid, jti, origin ?? null, ip, agent ?? null];
    const [row] = (await this.pool.query<UserRow>({ ...statement, values })).rows;
    if (!row) throw new UnprocessableEntityException();
    return this.signedIn.answer(row, { sid, jti, aud: origin }, amr);
  }
}
