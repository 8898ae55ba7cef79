import { pages } from '@recense/client';
import type { LocationDto } from '@recense/client';
import { codeCandidates } from '../../../src/purchases/code.js';
import { api } from './api.js';
import { keyOf } from './codes.js';
import { lastAnswer, orKept } from './load.js';

/** All places, also without a network once they were read. */
export async function readPlaces(): Promise<Places> {
  return new Places(await orKept('places', readAll));
}

/** Those that were read the last time, if any were. */
export async function keptPlaces(): Promise<Places | undefined> {
  const kept = await lastAnswer<LocationDto[]>('places');
  return kept && new Places(kept);
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
  private readonly byKey = new Map<string, LocationDto>();

  constructor(readonly all: LocationDto[]) {
    this.byId = new Map(all.map((place) => [place.id, place]));
    for (const place of all) if (place.code !== null) this.byKey.set(keyOf(place.code), place);
  }

  get(id: number | null | undefined): LocationDto | undefined {
    return id === null || id === undefined ? undefined : this.byId.get(id);
  }

  /** By what was read of its label: compared as codes of things are. */
  byCode(scanned: string): LocationDto | undefined {
    for (const key of codeCandidates(scanned).map(keyOf)) {
      const place = this.byKey.get(key);
      if (place?.is_active) return place;
    }
    return undefined;
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

  /** The places that it lies in and itself, the outermost first; none of one that is not known. */
  around(id: number): LocationDto[] | undefined {
    const trail: LocationDto[] = [];
    for (let place = this.get(id); place; place = this.get(place.parent_id)) trail.unshift(place);
    return trail.length > 0 ? trail : undefined;
  }

  /** The place at this depth that it lies in, or itself where it is above. */
  above(id: number | null, depth: number): LocationDto | undefined {
    let place = this.get(id);
    while (place && place.depth > depth) place = this.get(place.parent_id);
    return place;
  }
}
