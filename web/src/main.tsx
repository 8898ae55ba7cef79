import { render } from 'preact';
import { App } from './app.js';
import { restoreAccount } from './shared/account.js';
import { keepCatchingUp } from './shared/afterwards.js';
import { keepFocus } from './shared/focus.js';
import { followLinks } from './shared/router.js';
import { keepSending } from './shared/scans.js';
import './shared/style.css';
import { restoreLanguage } from './shared/texts.js';
import { keepPage } from './shared/version.js';

await Promise.all([restoreLanguage(), restoreAccount()]);
followLinks();
keepFocus();
keepSending();
keepCatchingUp();
render(<App />, document.getElementById('app')!);
void keepPage();
