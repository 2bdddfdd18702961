import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule } from '../custody/index.js';
import { IdentityModule } from '../identity/index.js';
import { MovingModule } from '../moving/index.js';
import { WalletsModule } from '../wallets/index.js';
import { CeremoniesController } from './ceremonies/ceremonies.controller.js';
import { CeremoniesService } from './ceremonies/ceremonies.service.js';
import { KeygenService } from './ceremonies/keygen.service.js';
import { ReshareService } from './ceremonies/reshare.service.js';
import { SigningService } from './ceremonies/signing.service.js';
import { SharedWalletsController } from './reading/shared-wallets.controller.js';
import { SharedWalletsService } from './reading/shared-wallets.service.js';
import { RoomMaking } from './rooms/room-making.service.js';
import { CeremonyMessage } from './rooms/room-message.entity.js';
import { CeremonyRoom } from './rooms/room.entity.js';
import { RoomsController } from './rooms/rooms.controller.js';
import { RoomsPurge } from './rooms/rooms-purge.job.js';
import { RoomsRepository } from './rooms/rooms.repository.js';
import { RoomsService } from './rooms/rooms.service.js';
import { SealedRooms } from './rooms/sealed-rooms.js';
import { SealedRoomsRepository } from './rooms/sealed-rooms.repository.js';
import { WaasMoving } from './waas.moving.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CeremonyRoom, CeremonyMessage]),
    CustodyModule,
    IdentityModule,
    MovingModule,
    WalletsModule,
  ],
  controllers: [RoomsController, CeremoniesController, SharedWalletsController],
  providers: [
    CeremoniesService,
    KeygenService,
    ReshareService,
    SigningService,
    RoomMaking,
    RoomsPurge,
    RoomsRepository,
    RoomsService,
    SealedRooms,
    SealedRoomsRepository,
    SharedWalletsService,
    WaasMoving,
  ],
})
export class WaasModule {}
