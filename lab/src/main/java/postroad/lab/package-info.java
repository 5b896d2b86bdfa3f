/// The lab: trials and measurements, as `postroad bench` runs them. Public: [Bench], [Arguments],
/// [Results], [Scratch].
package postroad.lab;
