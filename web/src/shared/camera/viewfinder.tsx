import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts.js';
import type { TextKey } from '../texts.js';
import { Select } from '../ui/form.js';
import { Notice } from '../ui/parts.js';
import { Camera } from './camera.js';
import { DecoderError } from './detector.js';
import './viewfinder.css';

/** What the camera sees, with its light and the choice between several; off until it is asked for. */
export function Viewfinder({ onRead }: { onRead: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useRef<Camera>(undefined);
  const latest = useRef(onRead);
  latest.current = onRead;
  /** By the user, who may be asked, or look at something else, before it is on. */
  const isWanted = useRef(false);
  const [isOn, setOn] = useState(false);
  const [failure, setFailure] = useState<TextKey>();
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  const [isLit, setLit] = useState(false);

  /** None where the page may use no camera. */
  const list = async (): Promise<void> => setDevices((await camera.current?.cameras().catch(() => [])) ?? []);
  const fail = (text: TextKey): void => {
    isWanted.current = false;
    setOn(false);
    setFailure(text);
    void list();
  };
  const start = async (deviceId?: string): Promise<void> => {
    camera.current ??= new Camera(
      video.current!,
      (text) => latest.current(text),
      () => fail('camera.ended'),
    );
    isWanted.current = true;
    setFailure(undefined);
    setLit(false);
    try {
      if (!(await camera.current.start(deviceId))) return;
      setOn(true);
      await list();
    } catch (error) {
      fail(failureOf(error));
    }
  };
  const stop = (): void => {
    isWanted.current = false;
    camera.current?.stop();
    setOn(false);
  };
  useEffect(() => {
    // It is nobody's business what a phone in a pocket sees; back on the page it goes on.
    const change = () => {
      if (document.visibilityState === 'hidden') camera.current?.stop();
      else if (isWanted.current) void start();
    };
    document.addEventListener('visibilitychange', change);
    return () => document.removeEventListener('visibilitychange', change);
  }, []);
  useEffect(() => () => camera.current?.stop(), []);

  const light = async (): Promise<void> => {
    await camera.current?.light(!isLit).then(
      () => setLit(!isLit),
      () => undefined,
    );
  };
  return (
    <section class="viewfinder" aria-label={t('camera')}>
      <div class="viewfinder-picture" hidden={!isOn}>
        <video ref={video} muted playsInline aria-label={t('camera.picture')} />
        <div class="viewfinder-frame" aria-hidden="true" />
      </div>
      {failure && <Notice tone="attention">{t(failure)}</Notice>}
      <div class="actions">
        <button type="button" class={isOn ? '' : 'primary'} onClick={() => (isOn ? stop() : void start())}>
          {isOn ? t('camera.stop') : t('camera.start')}
        </button>
        {isOn && camera.current?.hasTorch && (
          <button type="button" aria-pressed={isLit} onClick={() => void light()}>
            {t('camera.torch')}
          </button>
        )}
      </div>
      {devices.length > 1 && (
        <Select
          label={t('camera.which')}
          value={camera.current?.current ?? ''}
          options={[...(isOn ? [] : [NONE]), ...devices.map(named)]}
          onChange={(deviceId) => void start(deviceId)}
        />
      )}
    </section>
  );
}

/** Any of the cameras is another choice then. */
const NONE: [string, string] = ['', '–'];
const named = ({ deviceId, label }: MediaDeviceInfo, at: number): [string, string] => [
  deviceId,
  label || `${t('camera')} ${at + 1}`,
];

function failureOf(error: unknown): TextKey {
  if (error instanceof DecoderError) return 'camera.decoder';
  if (!window.isSecureContext) return 'camera.insecure';
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return 'camera.refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'camera.none';
  return 'camera.failed';
}
