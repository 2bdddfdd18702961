import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '../../queue/index.js';
import { ExchangeTransfersRepository } from './exchange-transfers.repository.js';
import { PayoutSettlement } from './payout-settlement.js';

const INTERVAL_MS = 60_000;
/** Longer than sending a payout may take, response included. */
const AGED_SECONDS = 30;
const BATCH = 100;

/** Finds out what became of payouts whose response was lost, or whose process ended first. */
@Injectable()
export class OpenPayouts implements OnModuleInit {
  private readonly log = new Logger('OpenPayouts');

  constructor(
    private readonly jobs: Jobs,
    private readonly transfers: ExchangeTransfersRepository,
    private readonly settlement: PayoutSettlement,
  ) {}

  onModuleInit(): void {
    this.jobs.every('exchange-transfers.settle', INTERVAL_MS, () => this.run());
  }

  async run(agedSeconds = AGED_SECONDS): Promise<void> {
    for (const { environmentId, id } of await this.transfers.claimOpen(agedSeconds, BATCH)) {
      if (this.jobs.isStopping) return;
      const row = await this.transfers.find(environmentId, { id });
      if (!row) continue;
      await this.settlement.lookUp(environmentId, row).catch((error: unknown) => {
        this.log.warn(`The status of transfer ${id} cannot be checked: ${(error as Error).name}`);
      });
    }
  }
}
