import { openDetector } from './detector.js';
import type { Detector } from './detector.js';
import { recall, remember } from '../store.js';

/** A picture is looked at so often, in milliseconds: the phone has other things to do. */
const PAUSE_MS = 90;
/** A code that was out of sight for as long is read anew. */
const GONE_MS = 2000;
/** What of the picture is looked at, as the frame over it shows, and how wide it is made at most. */
const PART = 0.8;
const WIDTH = 960;

const CHOSEN = 'camera';

/** Shows what a camera sees, and tells each code that comes before it, once. */
export class Camera {
  private detector: Detector | undefined;
  private stream: MediaStream | undefined;
  private lock: WakeLockSentinel | undefined;
  private readonly seen = new Map<string, number>();
  private isRunning = false;
  /** Which start it is: one that was overtaken, such as while the user is asked, lets go of its stream. */
  private starts = 0;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly onRead: (text: string) => void,
  ) {}

  /** @throws DOMException where there is no camera, or the user lets nobody use it */
  async start(deviceId?: string): Promise<void> {
    const chosen = deviceId ?? (await recall<string>(CHOSEN));
    if (deviceId !== undefined) await remember(CHOSEN, deviceId);
    const start = ++this.starts;
    this.stopStream();
    const stream = await streamOf(chosen);
    if (start !== this.starts) {
      for (const track of stream.getTracks()) track.stop();
      return;
    }
    this.stream = stream;
    this.video.srcObject = this.stream;
    await this.video.play();
    this.detector ??= await openDetector().catch((error: unknown) => {
      if (start === this.starts) this.stop();
      throw error;
    });
    await this.stayAwake();
    if (start !== this.starts) return this.stop();
    if (this.isRunning) return;
    this.isRunning = true;
    void this.look();
  }

  stop(): void {
    this.starts += 1;
    this.isRunning = false;
    this.stopStream();
    this.detector?.end();
    this.detector = undefined;
    void this.lock?.release();
    this.lock = undefined;
  }

  /** A phone lets go of the lock when its screen is dark or shows something else. */
  async stayAwake(): Promise<void> {
    try {
      const lock = await navigator.wakeLock.request('screen');
      void this.lock?.release();
      this.lock = lock;
    } catch {
      // it goes dark as ever
    }
  }

  /** Which cameras there are; they have names once one of them may be used. */
  async cameras(): Promise<MediaDeviceInfo[]> {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '');
  }

  get current(): string | undefined {
    return this.stream?.getVideoTracks()[0]?.getSettings().deviceId;
  }

  get hasTorch(): boolean {
    const track = this.stream?.getVideoTracks()[0];
    return track !== undefined && 'getCapabilities' in track && 'torch' in track.getCapabilities();
  }

  async light(on: boolean): Promise<void> {
    const constraints = { advanced: [{ torch: on }] } as unknown as MediaTrackConstraints;
    await this.stream?.getVideoTracks()[0]?.applyConstraints(constraints);
  }

  private stopStream(): void {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = undefined;
  }

  private async look(): Promise<void> {
    while (this.isRunning) {
      const { videoWidth, videoHeight } = this.video;
      if (videoWidth > 0 && this.detector) {
        const [width, height] = [videoWidth * PART, videoHeight * PART];
        const [x, y] = [(videoWidth - width) / 2, (videoHeight - height) / 2];
        const part = { x, y, width, height, scale: Math.min(1, WIDTH / width) };
        const texts = await this.detector.detect(this.video, part).catch(() => []);
        for (const text of texts) this.read(text);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  private read(text: string): void {
    const now = performance.now();
    const last = this.seen.get(text);
    this.seen.set(text, now);
    if (last === undefined || now - last > GONE_MS) this.onRead(text);
  }
}

async function streamOf(deviceId: string | undefined): Promise<MediaStream> {
  const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
  const open = (choice: MediaTrackConstraints) =>
    navigator.mediaDevices.getUserMedia({ audio: false, video: { ...size, ...choice } });
  if (deviceId !== undefined) {
    try {
      return await open({ deviceId: { exact: deviceId } });
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== 'OverconstrainedError') throw error;
      // that camera is not there any more
    }
  }
  return open({ facingMode: { ideal: 'environment' } });
}
