import { openDetector } from './detector.js';
import type { Detector } from './detector.js';
import { recall, remember } from '../store.js';

/** A picture is looked at so often, in milliseconds: the phone has other things to do. */
const PAUSE_MS = 90;
/** A code that was out of sight for as long is read anew. */
const GONE_MS = 2000;
/** What of the picture that is shown is looked at, as the frame over it shows, and how wide it is made at most. */
const PART = 0.8;
const WIDTH = 960;

const CHOSEN = 'camera';

/** Shows what a camera sees, and tells each code that comes before it, once. */
export class Camera {
  private detector: Promise<Detector> | undefined;
  private ending = new AbortController();
  private stream: MediaStream | undefined;
  private lock: WakeLockSentinel | undefined;
  private readonly canvas = document.createElement('canvas');
  private readonly context = this.canvas.getContext('2d', { willReadFrequently: true })!;
  /** The codes that were read, and since when each is out of sight: Infinity while it is before the camera. */
  private readonly goneSince = new Map<string, number>();
  /** Which start or end was the last: a start that was overtaken, such as while the user is asked, leaves nothing. */
  private starts = 0;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly onRead: (text: string) => void,
    /** Called when it is off without having been turned off, such as where it was unplugged or another app has it. */
    private readonly onEnd: () => void,
  ) {}

  /**
   * @returns whether it is on: not where it was turned off, or started anew, meanwhile
   * @throws DOMException where there is no camera, or the user lets nobody use it
   */
  async start(deviceId?: string): Promise<boolean> {
    const start = ++this.starts;
    this.stopStream();
    try {
      const chosen = deviceId ?? (await recall<string>(CHOSEN));
      if (start !== this.starts) return false;
      const stream = await streamOf(chosen);
      // Not before: one that does not start would be tried again and again.
      if (start === this.starts && deviceId !== undefined) await remember(CHOSEN, deviceId);
      if (start !== this.starts) {
        end(stream);
        return false;
      }
      this.stream = stream;
      for (const track of stream.getTracks()) track.addEventListener('ended', () => this.lose(start));
      this.video.srcObject = stream;
      await this.video.play();
      if (start !== this.starts) return false;
      const detector = await (this.detector ??= openDetector(this.ending.signal));
      await this.stayAwake(start);
      void this.look(start, detector);
      return start === this.starts;
    } catch (error) {
      if (start !== this.starts) return false;
      this.stop();
      throw error;
    }
  }

  stop(): void {
    this.starts += 1;
    this.see([]);
    this.stopStream();
    this.ending.abort();
    this.ending = new AbortController();
    this.detector = undefined;
    void this.lock?.release();
    this.lock = undefined;
  }

  private lose(start: number): void {
    if (start !== this.starts) return;
    this.stop();
    this.onEnd();
  }

  /** A phone lets go of the lock when its screen is dark or shows something else. */
  private async stayAwake(start: number): Promise<void> {
    try {
      const lock = await navigator.wakeLock.request('screen');
      if (start !== this.starts) return void lock.release();
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
    if (this.stream) end(this.stream);
    this.stream = undefined;
  }

  private async look(start: number, detector: Detector): Promise<void> {
    this.see([]);
    while (start === this.starts) {
      if (this.isSeen()) {
        const texts = await this.read(detector).catch(() => []);
        if (start === this.starts && this.isSeen()) this.see(texts);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Nothing is read that the user does not look at, such as behind a dialog that is open. */
  private isSeen(): boolean {
    const dialogs = [...document.querySelectorAll('dialog[open]')];
    return this.video.clientWidth > 0 && dialogs.every((dialog) => dialog.contains(this.video));
  }

  private async read(detector: Detector): Promise<string[]> {
    const { videoWidth, videoHeight, clientWidth, clientHeight } = this.video;
    if (videoWidth === 0) return [];
    // It fills its place, and what does not fit is cut off.
    const shown = Math.max(clientWidth / videoWidth, clientHeight / videoHeight);
    const [width, height] = [(clientWidth / shown) * PART, (clientHeight / shown) * PART];
    const [x, y] = [(videoWidth - width) / 2, (videoHeight - height) / 2];
    const scale = Math.min(1, WIDTH / width);
    [this.canvas.width, this.canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    this.context.drawImage(this.video, x, y, width, height, 0, 0, this.canvas.width, this.canvas.height);
    return detector.detect(this.canvas);
  }

  /** One picture may take longer than a code has to be gone, or be blurred: it is gone from the second one without it. */
  private see(texts: string[]): void {
    const now = performance.now();
    for (const [text, since] of this.goneSince) {
      if (texts.includes(text)) continue;
      if (now - since > GONE_MS) this.goneSince.delete(text);
      else this.goneSince.set(text, Math.min(since, now));
    }
    for (const text of texts) {
      const isNew = !this.goneSince.has(text);
      this.goneSince.set(text, Infinity);
      if (isNew) this.onRead(text);
    }
  }
}

function end(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
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
