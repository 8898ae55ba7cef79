import sharp from 'sharp';
import type { Contestant } from './asks.js';
import { median } from './turns.js';

/** What it takes to send photos as phones make them: medians of the rounds. */
export interface Uploading {
  name: string;
  /** Seconds of all of them. */
  seconds: number;
  /** MiB of one. */
  size: number;
  /** MiB that the process held at most, above what it had before. */
  grown: number;
}

export const PHOTOS = 100;
export const PHONES = 8;
const WIDTH = 4000;
const HEIGHT = 3000;

export async function measureUploading(at: Contestant, rounds: number): Promise<Uploading> {
  const seconds: number[] = [];
  const grown: number[] = [];
  const photo = await photoOf();
  for (let round = 0; round < rounds; round++) {
    await at.data.settle();
    let began = 0;
    grown.push(
      await at.server.grown(async () => {
        began = performance.now();
        await sendAll(at, photo);
        seconds.push((performance.now() - began) / 1000);
      }),
    );
  }
  return {
    name: at.name,
    seconds: median(seconds),
    size: photo.length / 2 ** 20,
    grown: median(grown),
  };
}

/** 12 megapixels with as much noise in them as a camera's. */
const photoOf = (): Promise<Buffer> =>
  sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 8 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer();

/** Each phone sends one after the other, every photo to another purchase. */
async function sendAll({ server, data }: Contestant, photo: Buffer): Promise<void> {
  let sent = 0;
  const phone = async () => {
    while (sent < PHOTOS) {
      const purchase = 1 + (sent++ % data.purchases);
      const body = new FormData();
      body.append('file', new Blob([photo], { type: 'image/jpeg' }), 'photo.jpg');
      const answer = await fetch(`${server.url}/api/v1/purchases/${purchase}/attachments`, {
        method: 'POST',
        headers: { authorization: data.authorization() },
        body,
      });
      const text = await answer.text();
      if (answer.status !== 201) throw new Error(`A photo was answered ${answer.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: PHONES }, phone));
}
