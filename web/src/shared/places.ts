import { pages } from '@recense/client';
import type { LocationDto } from '@recense/client';
import { api } from './api.js';
import { orKept } from './load.js';

/** All places, also without a network once they were read. */
export async function readPlaces(): Promise<Places> {
  return new Places(await orKept('places', readAll));
}

async function readAll(): Promise<LocationDto[]> {
  const places: LocationDto[] = [];
  const list = pages((cursor) =>
    api.GET('/api/v1/locations', { params: { query: { cursor, per_page: 200, sort: 'path' } } }),
  );
  for await (const { data } of list) places.push(...(data as LocationDto[]));
  return places;
}

export class Places {
  private readonly byId: Map<number, LocationDto>;

  constructor(readonly all: LocationDto[]) {
    this.byId = new Map(all.map((place) => [place.id, place]));
  }

  get(id: number | null | undefined): LocationDto | undefined {
    return id === null || id === undefined ? undefined : this.byId.get(id);
  }

  /** By the code on its label, in any case. */
  byCode(code: string): LocationDto | undefined {
    const wanted = code.trim().toUpperCase();
    return this.all.find((place) => place.is_active && place.code?.toUpperCase() === wanted);
  }

  /** Whether one of the two lies in or below the other, or is it. */
  areRelated(one: number, other: number): boolean {
    return this.contains(one, other) || this.contains(other, one);
  }

  contains(outer: number, inner: number): boolean {
    for (let place = this.get(inner); place; place = this.get(place.parent_id))
      if (place.id === outer) return true;
    return false;
  }
}
