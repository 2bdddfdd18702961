import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../../../environments/index.js';
import { NetworksModule } from '../../../networks/index.js';
import { ProvidersModule } from '../../../providers/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { MessagesModule } from '../../messages/messages.module.js';
import { NoncesModule } from '../../nonces/nonces.module.js';
import { CustodyRegistry } from './custody-registry.js';
import { FrameController } from './frame.controller.js';
import { FrameMessages } from './frame-messages.js';
import { FrameMethod } from './frame.method.js';
import { FrameSignIn } from './frame-sign-in.service.js';

/** Sign-in with a frame network account. */
@Module({
  imports: [EnvironmentsModule, FlowsModule, MessagesModule, NetworksModule, NoncesModule, ProvidersModule],
  controllers: [FrameController],
  providers: [CustodyRegistry, FrameMessages, FrameMethod, FrameSignIn],
})
export class FrameModule {}
