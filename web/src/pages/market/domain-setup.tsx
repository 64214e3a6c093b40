import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { domainSetup } from '@farlink/contract/market/domain.ts';
import { useState } from 'react';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { DomainProof } from './domain-proof.tsx';

/** The domains of the VNO: one row for the console, one for the portal. */
const DomainSetup = () => {
  const [proofOf, setProofOf] = useState<AnyRow>();
  return (
    <>
      <ResourcePage page={domainSetup} run={{ check: setProofOf }} link="edit" isUnpaged />
      {proofOf && <DomainProof row={proofOf} onClose={() => setProofOf(undefined)} />}
    </>
  );
};
export default DomainSetup;
