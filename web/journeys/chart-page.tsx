// The kit's charts alone on a page, for charts.browser.test.ts.
import "#web/ui/base.css";
import { createRoot } from "react-dom/client";
import { BarChart, type Bar } from "#web/ui/bar-chart.tsx";
import { StepChart } from "#web/ui/step-chart.tsx";

/** A month with one day without sales and one day of refunds. */
const bars: readonly Bar[] = Array.from({ length: 30 }, (_, index) => ({
  label: `${index + 1} Nov`,
  cents: index === 4 ? 0 : index === 9 ? -12_050 : 2_000 + ((index * 7_919) % 41) * 1_000,
}));

const points = bars.map(({ cents }, index) => ({
  at: new Date(2026, 10, index + 1, 12).getTime(),
  cents,
}));

/** Days of an earlier year, which the labels name. */
const earlierBars = bars.map(({ cents }, index) => ({ label: `${index + 1} Nov 2024`, cents }));
const earlierPoints = points.map(({ cents }, index) => ({
  at: new Date(2024, 10, index + 1, 12).getTime(),
  cents,
}));

createRoot(document.body.querySelector("#root") ?? document.body).render(
  <main className="flex flex-col gap-8 p-4">
    <h1 className="text-24 font-semibold">Charts</h1>
    <section className="card p-4" aria-label="Bars">
      <BarChart unit="Day" label="Sales per day" bars={bars} />
    </section>
    <section className="card p-4" aria-label="Steps">
      <StepChart label="Available" points={points} />
    </section>
    <section className="card p-4" aria-label="Days of 2024">
      <BarChart unit="Day" label="Sales per day in 2024" bars={earlierBars} />
    </section>
    <section className="card p-4" aria-label="Balance of 2024">
      <StepChart label="Available in 2024" points={earlierPoints} />
    </section>
    <section className="card p-4" aria-label="No bars">
      <BarChart unit="Month" label="Sales per month" bars={[]} />
    </section>
  </main>,
);
