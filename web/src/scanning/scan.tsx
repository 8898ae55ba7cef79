import { useLayoutEffect, useMemo } from 'preact/hooks';
import { Viewfinder } from '../shared/camera/viewfinder.js';
import { user } from '../shared/account.js';
import { isProblem } from '../shared/api.js';
import { sessionName } from '../shared/format.js';
import type { PageProps } from '../shared/router.js';
import { href } from '../shared/router.js';
import { isKept } from '../shared/scans.js';
import { count, t } from '../shared/texts.js';
import { Problem } from '../shared/ui/form.js';
import { Notice } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { hearHandScanner } from './hand-scanner.js';
import { Manual } from './manual.js';
import { PlaceChoice } from './place-choice.js';
import { Reads } from './reads.js';
import { Result } from './result.js';
import './scan.css';
import { Scanning } from './scanning.js';
import { hasSound, hasVibration, restoreSignals, setSound, setVibration } from './signals.js';

export function Scan({ id }: PageProps) {
  const scanning = useMemo(() => new Scanning(id), [id]);
  // While the user has to sign in again, what is read is nobody's.
  const read = (text: string, source: 'camera' | 'scanner' | 'manual') =>
    void (user.value && scanning.read(text, source));
  // Once it is seen, it hears: a hand scanner waits for no frame.
  useLayoutEffect(() => {
    void restoreSignals();
    void scanning.start();
    const leave = hearHandScanner((text) => read(text, 'scanner'));
    return () => {
      leave();
      scanning.end();
    };
  }, [scanning]);

  const reads = scanning.reads.value;
  const session = scanning.session.value;
  const lost = scanning.lost.value;
  return (
    <Screen
      title={session ? sessionName(session) : t('session.scan')}
      back={{ href: href(`/sessions/${id}`), label: t('session.back') }}
    >
      {!isKept.value && <Notice tone="bad">{t('scan.unkept')}</Notice>}
      {lost.length > 0 && <Notice tone="bad">{t('scan.lost', { codes: lost.join(', ') })}</Notice>}
      {session?.status === 'closed' && <Notice tone="attention">{t('scan.closed')}</Notice>}
      <Loading of={scanning} />
      <PlaceChoice
        places={scanning.places.value}
        placeId={scanning.placeId.value}
        awaits={scanning.awaitsPlace.value}
        isGone={scanning.isPlaceGone.value}
        onAwait={(on) => (scanning.awaitsPlace.value = on)}
        onChoose={(place) => scanning.choosePlace(place)}
      />
      <Result scanning={scanning} read={reads[0]} />
      {user.value && <Viewfinder onRead={(text) => read(text, 'camera')} />}
      <Manual isKnown={(code) => scanning.pack.find(code) !== undefined} onRead={read} />
      <div class="signals">
        <label class="check">
          <input
            type="checkbox"
            checked={hasSound.value}
            onChange={(event) => setSound(event.currentTarget.checked)}
          />
          {t('scan.sound')}
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={hasVibration.value}
            onChange={(event) => setVibration(event.currentTarget.checked)}
          />
          {t('scan.vibration')}
        </label>
      </div>
      <Reads scanning={scanning} reads={reads} />
    </Screen>
  );
}

function Loading({ of: { loading } }: { of: Scanning }) {
  const state = loading.value;
  if (state === undefined) return null;
  if (typeof state === 'number') return <Notice>{count('scan.pack', state)}</Notice>;
  // The service itself says no.
  if (isProblem(state.error) && state.error.problem.status < 500) return <Problem error={state.error} />;
  return <Notice tone="attention">{t('scan.pack.failed')}</Notice>;
}
