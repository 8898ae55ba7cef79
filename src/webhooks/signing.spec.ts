import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Seal, Unreadable } from './sealing.js';
import { newSecret, signed } from './signing.js';

const BODY = JSON.stringify({ type: 'webhook.ping', data: { name: 'Réseau 😀' } });

describe('A message', () => {
  it('is signed as the specification shows', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const at = new Date(1_614_265_330_000);
    expect(signed('msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}', [secret])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is verified by the library, with either of two secrets, and not with a third', () => {
    const [old, current, foreign] = [newSecret(), newSecret(), newSecret()] as const;
    const headers = signed('msg_1', new Date(), BODY, [current, old]);
    for (const secret of [old, current])
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(() => new Webhook(foreign).verify(BODY, headers)).toThrow('No matching signature');
    expect(() => new Webhook(current).verify(`${BODY} `, headers)).toThrow('No matching signature');
  });
});

describe('A secret', () => {
  const key = () => randomBytes(32).toString('base64');

  it('has 32 random bytes', () => {
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(newSecret());
  });

  it('is kept so that only the key opens it, also after another key has come before it', () => {
    const [first, second] = [key(), key()];
    const secret = newSecret();
    const kept = new Seal([first]).close(secret);
    expect(kept).not.toContain(secret.slice(6, 20));
    expect(kept).not.toBe(new Seal([first]).close(secret));
    expect(new Seal([second, first]).open(kept)).toBe(secret);
    for (const keys of [[], [second]]) expect(() => new Seal(keys).open(kept)).toThrow(Unreadable);
    const altered = kept.slice(0, 30) + (kept[30] === 'A' ? 'B' : 'A') + kept.slice(31);
    expect(() => new Seal([first]).open(altered)).toThrow(Unreadable);
  });

  it('is kept as it is without a key, and still read with one', () => {
    const secret = newSecret();
    expect(new Seal([]).close(secret)).toBe(secret);
    expect(new Seal([key()]).open(secret)).toBe(secret);
  });
});
