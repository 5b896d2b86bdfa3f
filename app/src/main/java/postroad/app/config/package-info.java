/// The configuration: one table of settings, read from flags, environment, and one TOML file, in this order.
///
/// Public: [Config], [ConfigReader], [ConfigText], [ConfigException], [Home], [Overrides], [Suggestion],
/// [Version].
package postroad.app.config;
