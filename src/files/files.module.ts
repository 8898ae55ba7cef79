import { Module } from '@nestjs/common';
import { Env } from '../config/env.js';
import { Files } from './files.js';
import { filesOf } from './files-of.js';

@Module({
  providers: [{ provide: Files, inject: [Env], useFactory: filesOf }],
  exports: [Files],
})
export class FilesModule {}
