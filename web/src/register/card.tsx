import { useState } from 'preact/hooks';
import { can } from '../shared/account.js';
import { isProblem } from '../shared/api.js';
import { orKept, useLoad } from '../shared/load.js';
import { href } from '../shared/router.js';
import type { PageProps } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Shown } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { Amortization } from './amortization.js';
import { Attachments } from './attachments.js';
import { Change } from './change.js';
import { Facts } from './facts.js';
import { History, LastSeen } from './history.js';
import { Kept } from './kept.js';
import { readPurchase } from './seen.js';
import './register.css';

/** All about one thing; without a network as it was last read. */
export function Card({ id }: PageProps) {
  const seen = useLoad(() => orKept(`purchase:${id}`, () => readPurchase(id)), [id]);
  const [isDeleted, setDeleted] = useState(false);
  const purchase = seen.data?.purchase;
  return (
    <Screen
      title={purchase ? purchase.article.name : t('thing')}
      back={{ href: href('/register'), label: t('register') }}
      actions={
        purchase &&
        !isDeleted &&
        can('purchases.update') && (
          <a class="button primary" href={href(`/register/edit/${id}`)}>
            {t('thing.edit')}
          </a>
        )
      }
    >
      <Shown of={seen}>
        {({ purchase, tag }) => (
          <>
            <Facts purchase={purchase} />
            <LastSeen id={id} />
            <Attachments id={id} onChange={seen.reload} />
            <Amortization id={id} on={purchase.updated_at} />
            <History id={id} on={purchase.updated_at} />
            <Change
              purchase={purchase}
              tag={tag}
              onChange={seen.reload}
              isDeleted={isDeleted}
              onDeleted={setDeleted}
            />
          </>
        )}
      </Shown>
      {!seen.isLoading && !purchase && !isProblem(seen.error) && <Kept id={id} />}
    </Screen>
  );
}
