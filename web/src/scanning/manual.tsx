import { useRef, useState } from 'preact/hooks';
import { t } from '../shared/texts.js';
import { TextInput } from '../shared/ui/form.js';
import { isMistyped } from './check.js';
import { GS, Typing, isEnd, isSeparator } from './hand-scanner.js';

interface ManualProps {
  isKnown: (code: string) => boolean;
  onRead: (text: string, source: 'manual' | 'scanner') => void;
}

/** For a label that no camera reads; a hand scanner may type here as well. */
export function Manual({ isKnown, onRead }: ManualProps) {
  const [text, setText] = useState('');
  const typing = useRef(new Typing());
  const isWrong = text !== '' && !isKnown(text) && isMistyped(text);
  const send = (source: 'manual' | 'scanner'): void => {
    if (text.trim() === '') return;
    onRead(text, source);
    setText('');
  };
  return (
    <form
      class="manual"
      onKeyDown={(event) => {
        const { target } = event;
        if (!(target instanceof HTMLInputElement)) return;
        if (isSeparator(event)) {
          event.preventDefault(); // some browsers go forward by it
          target.setRangeText(GS, target.selectionStart!, target.selectionEnd!, 'end');
          setText(target.value);
          typing.current.key(GS, event.timeStamp);
        } else if (isEnd(event)) {
          const read = typing.current.end(event);
          if (read === undefined) return; // who types sends it, or goes on to the button
          event.preventDefault();
          if (read !== '') send('scanner');
        } else if (event.key.length === 1) typing.current.key(event.key, event.timeStamp);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        typing.current.clear();
        send('manual');
      }}
    >
      <TextInput
        label={t('scan.manual')}
        name="code"
        value={text}
        onInput={setText}
        more={{ autoComplete: 'off', autoCapitalize: 'characters', spellcheck: false, maxLength: 2048 }}
        {...(isWrong && { hint: t('scan.mistyped') })}
      />
      {/* What comes while somebody types is heard only where it is said, too. */}
      <p class="unseen" role="status">
        {isWrong && t('scan.mistyped')}
      </p>
      <button type="submit">{t('scan.enter')}</button>
    </form>
  );
}
