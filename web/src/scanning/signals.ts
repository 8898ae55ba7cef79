import { signal } from '@preact/signals';
import { recall, remember } from '../shared/store.js';
import type { Tone } from '../shared/ui/parts.js';

/** What tells a result without looking; either may be turned off, which is remembered. */
export const hasSound = signal(true);
export const hasVibration = signal(true);

export async function restoreSignals(): Promise<void> {
  hasSound.value = (await recall<boolean>('sound')) ?? true;
  hasVibration.value = (await recall<boolean>('vibration')) ?? true;
}

export function setSound(on: boolean): void {
  hasSound.value = on;
  void remember('sound', on);
}

export function setVibration(on: boolean): void {
  hasVibration.value = on;
  void remember('vibration', on);
}

/** Hertz one after the other: high is good, twice is to be looked at, low is bad. */
const TONES: Record<Tone, number[]> = { good: [1320], attention: [880, 880], bad: [220, 165], plain: [660] };
const SECONDS = 0.09;

let audio: AudioContext | undefined;

export function give(tone: Tone): void {
  if (hasVibration.value && 'vibrate' in navigator)
    navigator.vibrate(TONES[tone].map(() => 60).flatMap((ms) => [ms, 40]));
  if (!hasSound.value || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  void audio.resume();
  TONES[tone].forEach((hertz, at) => {
    const start = audio!.currentTime + at * SECONDS * 1.5;
    const gain = new GainNode(audio!, { gain: 0.2 });
    const oscillator = new OscillatorNode(audio!, {
      type: tone === 'bad' ? 'square' : 'sine',
      frequency: hertz,
    });
    oscillator.connect(gain).connect(audio!.destination);
    oscillator.start(start);
    oscillator.stop(start + SECONDS);
  });
}
