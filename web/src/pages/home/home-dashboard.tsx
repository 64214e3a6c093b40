import type { HomeSummary } from '@farlink/contract/home/summary.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { Unread } from '../../kit/chrome/read-failed.tsx';
import { AttentionCard } from './attention-card.tsx';
import { FirstSteps } from './first-steps.tsx';
import { FleetCard } from './fleet-card.tsx';
import './home.css';
import './home-cards.css';
import { AnnouncementCard, FeedbackCard } from './latest-cards.tsx';
import { AuthCard, RunningCard } from './side-cards.tsx';
import { StatTiles } from './stat-tiles.tsx';
import { ApplicationCard, TrafficCard } from './traffic-cards.tsx';
import { useSummary } from './use-summary.ts';

const loading: Text = ['加载中', 'Loading'];

/** Placeholders with the layout of the page, so that nothing moves when the figures arrive. */
const Skeleton = () => (
  <div className="home" role="status" aria-label={t(loading)}>
    <div className="card home-tiles">
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <div key={key} className="home-tile">
          <span className="skeleton home-skeleton-label" />
          <span className="skeleton home-skeleton-value" />
        </div>
      ))}
    </div>
    {['fleet', 'attention', 'traffic', 'applications', 'feedback'].map((area) => (
      <div key={area} className={`card home-card home-${area}`}>
        <span className="skeleton home-skeleton-label" />
      </div>
    ))}
  </div>
);

const hasTiles = ({ devices, users, income, orders, traffic }: HomeSummary) =>
  [devices, users, income, orders, traffic].some((part) => part !== undefined);

const Content = ({ summary }: { readonly summary: HomeSummary }) => {
  const { devices, fleet, traffic, applications, running, feedback, notices } = summary;
  const isNew = devices?.total === 0;
  return (
    <div className="home">
      {hasTiles(summary) && <StatTiles summary={summary} />}
      {isNew ? (
        <FirstSteps />
      ) : (
        <>
          <FleetCard devices={devices} fleet={fleet} />
          <AttentionCard devices={devices} />
        </>
      )}
      <TrafficCard traffic={traffic} />
      <ApplicationCard applications={applications} />
      <div className="stack home-side">
        {!isNew && <AuthCard devices={devices} />}
        <RunningCard running={running} />
      </div>
      <FeedbackCard feedback={feedback} />
      <AnnouncementCard notices={notices} />
    </div>
  );
};

const HomeDashboard = () => {
  const { data, isError, refetch } = useSummary();
  if (data) return <Content summary={data} />;
  return isError ? <Unread retry={refetch} /> : <Skeleton />;
};
export default HomeDashboard;
