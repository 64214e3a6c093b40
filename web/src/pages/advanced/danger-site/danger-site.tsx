import { dangerSite } from '@farlink/contract/advanced/danger-site.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { offersOf } from '../../../kit/actions/action-state.ts';
import { type Run, usePageActions } from '../../../kit/actions/use-page-actions.tsx';
import { ResourcePage } from '../../../kit/list/resource-page.tsx';
import { useMe } from '../../../kit/net/session.ts';
import { isRow } from '../../../kit/net/wire.ts';
import { DangerTestBox } from './danger-test-box.tsx';
import { ListOnGateways } from './list-on-gateways.tsx';
import './danger-site.css';

const GatewayPanel = lazy(() => import('./gateway-panel.tsx'));
const ImportPanel = lazy(() => import('./import-panel.tsx'));

/** Opens the create form for the domain in `?create=`, which other pages link to. */
const useCreateLink = () => {
  const me = useMe();
  const [query, setQuery] = useSearchParams();
  const { openForm, open } = usePageActions(dangerSite, {});
  const domain = query.get('create');
  useEffect(() => {
    if (domain === null) return;
    // A reload or the back button does not open the form again.
    setQuery(
      (old) => {
        old.delete('create');
        return old;
      },
      { replace: true },
    );
    if (offersOf(dangerSite, 'toolbar', me).some(({ key }) => key === 'create'))
      void openForm('create', { id: 0, domain, kind: 'other', status: 1 });
  });
  return open;
};

/** Domains that all gateways block: a test of an address, the delivery to gateways, and the list. */
const DangerSite = () => {
  const [areGatewaysShown, setGatewaysShown] = useState(false);
  const [imported, setImported] = useState<number>();
  const createForm = useCreateLink();
  const run: Run = { import: (_, actions) => actions.openForm('import', [], (reply) => isRow(reply) && setImported(reply.id)) };
  return (
    <div className="above-list danger-page">
      <section className="card danger-head">
        <DangerTestBox />
        <ListOnGateways onOpen={() => setGatewaysShown(true)} onImport={setImported} />
      </section>
      <ResourcePage page={dangerSite} run={run} />
      {createForm}
      <Suspense>
        {areGatewaysShown && <GatewayPanel onClose={() => setGatewaysShown(false)} />}
        {imported !== undefined && <ImportPanel id={imported} onClose={() => setImported(undefined)} />}
      </Suspense>
    </div>
  );
};
export default DangerSite;
