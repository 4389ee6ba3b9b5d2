// Draw the charts of a report: Vega-Lite specs without expressions of their own, evaluated without `eval`.
const specs = JSON.parse(document.getElementById("charts").textContent);
const config = {
  background: null, font: "sans-serif", view: {stroke: null},
  axis: {labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", gridColor: "#ddd", domainColor: "#111", tickColor: "#111"},
  legend: {labelFontSize: 12, symbolStrokeColor: "#111"},
};
const refuse = () => Promise.reject(new Error("a report loads nothing"));
for (const box of document.querySelectorAll("[data-chart]")) {
  const {spec} = vegaLite.compile(specs[box.dataset.chart], {config, logger: vega.logger(vega.Error)});
  new vega.View(vega.parse(spec, null, {ast: true}), {
    container: box, renderer: "svg", expr: vega.expressionInterpreter, hover: false, logLevel: vega.Error,
    loader: {load: refuse, sanitize: refuse},
  }).runAsync();
}
