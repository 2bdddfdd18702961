import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KeyLedger, SERVICE, splitUse } from '../../custody/index.js';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { Jobs } from '../../queue/index.js';
import { RoomsRepository } from '../rooms/rooms.repository.js';

const EVERY_MS = 15_000;

/** Ledger verdict for shares released to a device that sent no signature in time. */
export const UNANSWERED_RELEASE = 'released_unanswered';

/** Adds a key ledger entry for each device that got the service's shares and sent no signature. */
@Injectable()
export class UnansweredReleases implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly rooms: RoomsRepository,
    private readonly ledger: KeyLedger,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.jobs.every('ceremonyRooms.unanswered', EVERY_MS, () => this.run());
  }

  /** One room per transaction, with its ledger entry: a run that is killed is resumed later. */
  async run(): Promise<void> {
    while (!this.jobs.isStopping && (await this.work.run((tx) => this.record(tx))));
  }

  private async record(tx: Transaction): Promise<boolean> {
    const room = await this.rooms.takeUnanswered(tx);
    if (!room) return false;
    const { environmentId, userId, walletId, digest } = room;
    const { keysId, address, request } = room.subject;
    const wallet = { userId, walletId, keysId, chain: 'EVM', address } as const;
    const verdict = UNANSWERED_RELEASE;
    this.ledger.record(environmentId, splitUse(wallet, request.kind, { actor: SERVICE, digest, verdict }), tx);
    return true;
  }
}
