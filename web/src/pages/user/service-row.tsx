import type { ReactNode } from 'react';
import { nothing } from '../../ui/format.ts';

interface ServiceRowProps {
  readonly label: string;
  readonly isKnown: boolean;
  readonly children: ReactNode;
}

/** A line of the service panel: state, details and actions. */
export const ServiceRow = ({ label, isKnown, children }: ServiceRowProps) => (
  <div>
    <dt>{label}</dt>
    <dd className="service-line">{isKnown ? children : nothing}</dd>
  </div>
);
