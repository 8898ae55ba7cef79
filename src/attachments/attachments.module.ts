import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FilesModule } from '../files/files.module.js';
import { Attachment } from './attachment.entity.js';
import { AttachmentsController } from './attachments.controller.js';
import { AttachmentsService } from './attachments.service.js';
import { KeptFiles } from './kept-files.js';
import { OwnersController } from './owners.controller.js';
import { Sweeper } from './sweeper.js';
import { Uploads } from './uploads.js';

@Module({
  imports: [TypeOrmModule.forFeature([Attachment]), FilesModule],
  controllers: [AttachmentsController, OwnersController],
  providers: [AttachmentsService, KeptFiles, Sweeper, Uploads],
})
export class AttachmentsModule {}
