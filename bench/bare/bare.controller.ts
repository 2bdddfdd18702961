import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Ip,
  NotFoundException,
  Param,
  Post,
  Query,
  UnauthorizedException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { v7 } from 'uuid';
import { Signatures, tokenHash } from './signatures.js';
import { SignedIn } from './signed-in.js';
import { CREATE_USER, GET_USER, KEY_ROW, LIST_USERS, SESSION, SIGN_IN } from './statements.js';
import { fullForm, type UserRow } from './user-row.js';

const bearerOf = (authorization: string | undefined): string => authorization?.slice('Bearer '.length) ?? '';

/** The measured operations, each reduced to its one SQL statement. */
@Controller('api/v0')
export class BareController {
  constructor(
    private readonly pool: Pool,
    private readonly signatures: Signatures,
    private readonly signedIn: SignedIn,
  ) {}

  @Get('sdk/:environmentId/healthcheck')
  health(): object {
    return { status: 'healthy' };
  }

  @Get('sdk/:environmentId/.well-known/jwks')
  jwks(): object {
    return this.signatures.jwks;
  }

  @Get('sdk/:environmentId/session')
  @HttpCode(204)
  async session(
    @Param('environmentId') environmentId: string,
    @Headers('authorization') bearer?: string,
  ): Promise<void> {
    const claims = this.signatures.read(bearerOf(bearer));
    if (!claims) throw new UnauthorizedException();
    const { rowCount } = await this.pool.query({ ...SESSION, values: [environmentId, claims.sid, claims.sub] });
    if (rowCount === 0) throw new UnauthorizedException();
  }

  @Get('environments/:environmentId/users/:userId')
  async getUser(
    @Param('environmentId') environmentId: string,
    @Param('userId') userId: string,
    @Headers('authorization') bearer?: string,
  ): Promise<object> {
    const values = [tokenHash(bearerOf(bearer)), environmentId, userId];
    const [row] = (await this.pool.query<UserRow>({ ...GET_USER, values })).rows;
    if (!row) throw new UnauthorizedException();
    if (row.id === null) throw new NotFoundException();
    return { user: fullForm(row) };
  }

  @Get('environments/:environmentId/users')
  async listUsers(
    @Param('environmentId') environmentId: string,
    @Query('limit') limit: string,
    @Headers('authorization') bearer?: string,
  ): Promise<object> {
    const values = [tokenHash(bearerOf(bearer)), environmentId, Number(limit)];
    const { rows } = await this.pool.query<UserRow & { count: number }>({ ...LIST_USERS, values });
    if (!rows[0]) throw new UnauthorizedException();
    return { count: rows[0].count, users: rows.map(fullForm) };
  }

  @Post('environments/:environmentId/users')
  async createUser(
    @Param('environmentId') environmentId: string,
    @Body() body: Record<string, string>,
    @Headers('authorization') bearer?: string,
  ): Promise<object> {
    const { email, alias, firstName, lastName, emailVerifiedAt } = body;
    const hash = tokenHash(bearerOf(bearer));
    const values = [hash, environmentId, v7(), email, alias, firstName, lastName, v7(), emailVerifiedAt];
    const [row] = (await this.pool.query<UserRow>({ ...CREATE_USER, values })).rows;
    if (!row) throw new UnauthorizedException();
    return { user: fullForm(row) };
  }

  @Post('sdk/:environmentId/emailVerifications/signin')
  @HttpCode(200)
  async signIn(
    @Param('environmentId') environmentId: string,
    @Body() body: { verificationUUID: string; verificationToken: string },
    @Ip() ip: string,
    @Headers('origin') origin?: string,
    @Headers('user-agent') agent?: string,
  ): Promise<object> {
    const hmac = this.signatures.code(body.verificationUUID, body.verificationToken);
    const sid = v7();
    const jti = randomUUID();
    const values = [environmentId, body.verificationUUID, hmac, sid, jti, origin ?? null, ip, agent ?? null];
    const [row] = (await this.pool.query<UserRow>({ ...SIGN_IN, values })).rows;
    if (!row) throw new UnprocessableEntityException();
    return this.signedIn.answer(row, { sid, jti, aud: origin }, 'otp');
  }

  @Post('sdk/:environmentId/users/embeddedWallets/:walletId/sign')
  @HttpCode(200)
  async sign(
    @Param('environmentId') environmentId: string,
    @Param('walletId') walletId: string,
    @Body() body: { message: string },
    @Headers('authorization') bearer?: string,
  ): Promise<object> {
    const claims = this.signatures.read(bearerOf(bearer));
    if (!claims) throw new UnauthorizedException();
    const values = [environmentId, claims.sid, claims.sub, walletId];
    const { rowCount } = await this.pool.query({ ...KEY_ROW, values });
    if (rowCount === 0) throw new NotFoundException();
    return this.signatures.message(body.message);
  }
}
