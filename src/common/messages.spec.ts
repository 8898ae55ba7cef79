import { render, say } from './messages.js';
import type { Message } from './messages.js';

const USED: Message = ['{0} is used by {1}', '{1} utilise {0}'];

describe('Messages', () => {
  it('are filled in, in the language of whoever reads them', () => {
    expect(render(say(USED, 'A', 2))).toBe('A is used by 2');
    expect(render(say(USED, 'A', 2), 'fr')).toBe('2 utilise A');
  });

  it('leave as it is what nobody has said', () => {
    expect(render('Just a text', 'fr')).toBe('Just a text');
  });

  it('tell each value in its place, whatever stands in it', () => {
    expect(render(say(USED, '{1}\u001f', 'C\u001fD'))).toBe('{1}  is used by C D');
  });
});
