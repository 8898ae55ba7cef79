import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '../database/audit.js';
import { CurrentActor } from '../http/actor.js';
import { Access } from '../auth/access.js';
import { Creating, Creation } from '../contract/creation.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation, PageOperation } from '../contract/openapi.js';
import { Change, Changing, Reply, Replying, pageOf } from '../contract/resource.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import type { Download } from '../http/download.js';
import { LABEL_TYPES, LabelsService } from '../labels/labels.service.js';
import { MAX_LEVELS } from './location.entity.js';
import {
  CreateLocationDto,
  LocationDto,
  LocationLabelQuery,
  LocationQuery,
  UpdateLocationDto,
  location,
} from './locations.dto.js';
import { LocationsService } from './locations.service.js';

@ApiTags('Places')
@Controller('locations')
export class LocationsController {
  constructor(
    private readonly locations: LocationsService,
    private readonly printer: LabelsService,
  ) {}

  @Access('locations.view', { deleted: 'locations.manage' })
  @Get()
  @PageOperation({
    id: 'listLocations',
    summary: 'List places',
    description:
      'Sites, buildings, floors, rooms: one tree. `parent_id` gives the places right below one, `depth=0` the roots. Inactive places included: `is_active` is for pick lists and hides nothing.',
    answer: LocationDto,
  })
  list(@CheckedQuery() query: LocationQuery) {
    return pageOf(location, this.locations.list(query));
  }

  @Access('locations.view')
  @Get('labels')
  @Operation({
    id: 'printLocationLabels',
    summary: 'Print labels of places',
    description:
      'As those of purchases, for doors: with the code and the name of the place. What has no code is left out, or refused where its id is asked for.',
    files: Object.values(LABEL_TYPES),
  })
  labels(@CheckedQuery() query: LocationLabelQuery): Promise<Download> {
    return this.printer.print(query, (per_page) => this.locations.labelled(query, per_page));
  }

  @Access('locations.manage')
  @Post()
  @Operation({
    id: 'createLocation',
    summary: 'Create a place',
    description: 'Two places may have the same name, also in one place. No code is made up.',
    answer: LocationDto,
    status: 201,
  })
  create(@CheckedBody() body: CreateLocationDto, @Creating() creation: Creation): Promise<LocationDto> {
    return this.locations.create(body, creation.of(location));
  }

  @Access('locations.view')
  @Get(':id')
  @Operation({
    id: 'getLocation',
    summary: 'One place',
    description: 'A deleted place is not found.',
    answer: LocationDto,
    tagged: true,
    errors: ['not-found'],
  })
  get(@IdInPath() id: number, @Replying() reply: Reply): Promise<LocationDto> {
    return reply.of(location, this.locations.get(id));
  }

  @Access('locations.manage')
  @Patch(':id')
  @Operation({
    id: 'updateLocation',
    summary: 'Change a place',
    description: `Fields that are left out stay as they are; \`null\` clears one. Another \`parent_id\` moves the place with all that lies below it: 422 where that would make a circle, or a tree of more than ${MAX_LEVELS} levels. What lies below counts as changed when its path has.`,
    answer: LocationDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateLocationDto,
    @Changing() change: Change,
  ): Promise<LocationDto> {
    return change.update(location, (by) => this.locations.update(id, body, by));
  }

  @Access('locations.manage')
  @Delete(':id')
  @Operation({
    id: 'deleteLocation',
    summary: 'Delete a place',
    description:
      'Refused while places lie below it, live purchases are there, a session is of it or what an open one found there is not decided: deactivate it instead.',
    answer: DeletedDto,
    errors: ['not-found', 'in-use'],
  })
  delete(@IdInPath() id: number, @Changing() change: Change): Promise<DeletedDto> {
    return change.delete(location, id, (by) => this.locations.delete(id, by));
  }

  @Access('locations.manage')
  @Post(':id/restore')
  @Operation({
    id: 'restoreLocation',
    summary: 'Take the deletion of a place back',
    description: 'One that is not deleted stays as it is. Refused while the place above it is deleted.',
    answer: LocationDto,
    tagged: true,
    errors: ['not-found', 'refers-to-deleted'],
  })
  restore(
    @IdInPath() id: number,
    @CurrentActor() actor: Actor,
    @Replying() reply: Reply,
  ): Promise<LocationDto> {
    return reply.of(location, this.locations.restore(id, actor));
  }
}
